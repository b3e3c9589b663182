"""
Declared melds as numbers of 16 bits, the form in which every array of `mjcore.batch` takes them; 0 is no meld.

===== =============================================================
bits  meaning
===== =============================================================
0-5   lowest kind
6-8   1 chow, 2 pung, 3 direct, 4 added, 5 concealed kong
9-10  from whom it was claimed, as `Meld.claimed_from`
11-12 which of its tiles was claimed; `Meld` does not know it: 0
13    it holds a red five
===== =============================================================
"""

from __future__ import annotations

from mjcore.hand import MELD_TYPES, Meld
from mjcore.notation import FIVES
from mjcore.tiles import InvalidHandError, as_index, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

KIND_BITS = 0x3F
TYPE_SHIFT = 6
CLAIMED_SHIFT = 9
RED_FIVE = 1 << 13
KNOWN_BITS = (1 << 14) - 1


def encode_meld(meld: Meld | str) -> int:
    """
    Return the code of a meld: its lowest kind, its type from bit 6 on, from whom it was claimed from bit 9 on, a red
    five in bit 13.

    Parameters
    ----------
    meld : Meld or str
        A meld, or its text.

    Raises
    ------
    InvalidHandError
        If it is no meld.

    Examples
    --------
    >>> import mjcore
    >>> [hex(mjcore.encode_meld(meld)) for meld in ("[123m]", "[EEE]", "[2222s*]", "[EEE,2]")]
    ['0x40', '0x9e', '0x14a', '0x49e']
    """
    meld = meld if isinstance(meld, Meld) else Meld(meld)
    code = meld.kind | (MELD_TYPES.index(meld.type) + 1) << TYPE_SHIFT | meld.claimed_from << CLAIMED_SHIFT
    return code | RED_FIVE if meld.red_fives else code


def decode_meld(code: SupportsIndex) -> Meld:
    """
    Return the meld of a code; the bits that say which of its tiles was claimed are not looked at.

    Raises
    ------
    InvalidHandError
        If it is the code of no meld.

    Examples
    --------
    >>> import mjcore
    >>> mjcore.decode_meld(0x49E), mjcore.decode_meld(mjcore.encode_meld("[340p,3]"))
    (Meld('[EEE,2]'), Meld('[340p,3]'))
    """
    number = as_index(code)
    if number is None or not 0 < number <= KNOWN_BITS:
        raise InvalidHandError(f"expected the code of a meld, 1 to {KNOWN_BITS}, got {shown(code)}")
    meld_type = number >> TYPE_SHIFT & 7
    if not 1 <= meld_type <= len(MELD_TYPES):
        raise InvalidHandError(f"expected a meld of type 1 to {len(MELD_TYPES)}, got {meld_type} in {number:#x}")
    name, kind, claimed_from = MELD_TYPES[meld_type - 1], number & KIND_BITS, number >> CLAIMED_SHIFT & 3
    if name == "chow":
        meld = Meld.chow(kind, claimed_from=claimed_from)
    elif name == "pung":
        meld = Meld.pung(kind, claimed_from=claimed_from)
    else:
        meld = Meld.kong(kind, name, claimed_from=claimed_from)
    if not number & RED_FIVE:
        return meld
    if not any(kind in FIVES for kind in meld.kinds):
        raise InvalidHandError(f"expected a meld with a five for the red five in {number:#x}, got {meld}")
    return Meld._checked(meld.type, meld.kind, meld.claimed_from, 1)
