"""Groups and melds of a winning hand as text; what was written once is kept."""

from mjcore.groups cimport GROUP_PUNG
from mjcore.win_checks cimport MELD_ADDED_KONG, MELD_CHOW, MELD_CONCEALED_KONG, MELD_DIRECT_KONG

from mjcore.notation import format

cdef enum:
    N_TEXTS_MAX = 4096

# By the code of a group, by kind and type of a meld, and by the kinds of other tiles.
cdef list group_texts = [None] * 128
cdef list meld_texts = [None] * 512
cdef dict tile_texts = {}


cdef str tiles_text(tuple kinds):
    text = tile_texts.get(kinds)
    if text is None:
        text = format(sum([1 << 4 * kind for kind in kinds]))
        if len(tile_texts) < N_TEXTS_MAX:
            tile_texts[kinds] = text
    return text


cdef str group_text(int group):
    text = group_texts[group]
    if text is None:
        kind = group & ~GROUP_PUNG
        text = group_texts[group] = tiles_text((kind,) * 3 if group & GROUP_PUNG else (kind, kind + 1, kind + 2))
    return text


cdef str meld_as_text(int code):
    cdef int kind = code & 0x3F, kind_type = code >> 6 & 7
    text = meld_texts[code & 0x1FF]
    if text is None:
        if kind_type == MELD_CHOW:
            tiles = group_text(kind)
        else:
            tiles = tiles_text((kind,) * (4 if kind_type >= MELD_DIRECT_KONG else 3))
        mark = "+" if kind_type == MELD_ADDED_KONG else "*" if kind_type == MELD_CONCEALED_KONG else ""
        text = meld_texts[code & 0x1FF] = f"[{tiles}{mark}]"
    return text


def meld_text(int code):
    """Return a meld of 16 bits in brackets."""
    return meld_as_text(code)
