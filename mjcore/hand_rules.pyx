"""Which hands are complete: forms, jokers, eyes and the meaning of a wait, as one frozen value."""

cimport cython
from mjcore.forms cimport (
    FORM_HONORS_AND_KNITTED,
    FORM_KNITTED_STRAIGHT,
    FORM_SEVEN_PAIRS,
    FORM_STANDARD,
    FORM_THIRTEEN_ORPHANS,
    FORMS_DEFAULT,
)
from mjcore.packed cimport ALL_KINDS, HONOR_BITS, LANE_BITS, LANE_Z, hand_clear, lane_t

from mjcore.kindset import KindSet
from mjcore.notation import kind_of
from mjcore.tiles import shown, tile_name

FORMS = ("standard", "seven_pairs", "thirteen_orphans", "honors_and_knitted", "knitted_straight")
DEFAULT_FORMS = FORMS[:3]
WAIT_MODES = ("possible", "shape", "live")

cdef dict FORM_BITS = {
    "standard": FORM_STANDARD,
    "seven_pairs": FORM_SEVEN_PAIRS,
    "thirteen_orphans": FORM_THIRTEEN_ORPHANS,
    "honors_and_knitted": FORM_HONORS_AND_KNITTED,
    "knitted_straight": FORM_KNITTED_STRAIGHT,
}

# What each option of a preset is, beside the defaults; forms.md gives the table.
cdef dict PRESETS = {
    "default": {},
    "mcr": {"forms": FORMS, "seven_pairs_quads": True},
    "riichi": {},
    "hk": {"forms": ("standard", "thirteen_orphans"), "seven_pairs_quads": True},
    "tuidaohu": {"seven_pairs_quads": True},
    "wuhan": {"forms": ("standard",)},
}


@cython.final
cdef class HandRules:
    """HandRules(*, forms=("standard", "seven_pairs", "thirteen_orphans"), seven_pairs_quads=False, \
joker_fifth_copy=True, joker_special_forms=True, joker_kind=None, eyes=None, wait_mode="possible")
--

    Which hands are complete, and which tiles count as waits.

    Parameters
    ----------
    forms : iterable of str, default ("standard", "seven_pairs", "thirteen_orphans")
        Shapes that win; Chinese Official has "honors_and_knitted" and "knitted_straight" too, which take
        no jokers.
    seven_pairs_quads : bool, default False
        Whether four of a kind are two of the seven pairs.
    joker_fifth_copy : bool, default True
        Whether a joker may play as a kind of which four copies are held.
    joker_special_forms : bool, default True
        Whether jokers may stand in seven pairs and thirteen orphans.
    joker_kind : int or str, optional
        A kind of which each copy is a joker; it may stand for itself too.  Jokers given as a number
        come on top.
    eyes : iterable of kinds or text, optional
        Kinds that may be the eyes of a standard hand, for example ``"258m258s258p"``.  Default: all.
    wait_mode : {"possible", "shape", "live"}
        Which waits `ting` reports: those with a copy left beside hand and melds, all by shape, or
        those with a copy left beside hand, melds and visible tiles.  Tiles given to `ting` as visible
        count in any mode but "shape".

    Raises
    ------
    ValueError
        If a form or mode is unknown, no form is given, or no kind may be the eyes.
    TypeError
        If an option is not a bool.

    Examples
    --------
    >>> import mjcore
    >>> chinese = mjcore.HandRules(seven_pairs_quads=True)
    >>> mjcore.is_hu("11223355779999s"), mjcore.is_hu("11223355779999s", rules=chinese)
    (False, True)
    >>> chinese.replace(eyes="258m")
    HandRules(seven_pairs_quads=True, eyes='2m 5m 8m')
    """

    def __cinit__(self, *, forms=DEFAULT_FORMS, seven_pairs_quads=False, joker_fifth_copy=True,
                  joker_special_forms=True, joker_kind=None, eyes=None, wait_mode="possible", **unknown):
        if unknown:
            raise TypeError(f"expected options of {', '.join(self._options())}, got {', '.join(unknown)}")
        if isinstance(forms, str):
            forms = (forms,)
        if not hasattr(forms, "__iter__"):
            raise TypeError(f"expected names of forms for forms, got {shown(forms)}")
        self.c.forms = 0
        for form in forms:
            if not isinstance(form, str) or form not in FORM_BITS:
                raise ValueError(f"expected forms of {', '.join(FORMS)}, got {shown(form)}")
            self.c.forms |= <unsigned int> FORM_BITS[form]
        if self.c.forms == 0:
            raise ValueError("expected at least one form, got none")
        for name, value in (("seven_pairs_quads", seven_pairs_quads), ("joker_fifth_copy", joker_fifth_copy),
                            ("joker_special_forms", joker_special_forms)):
            if type(value) is not bool:
                raise TypeError(f"expected True or False for {name}, got {shown(value)}")
        self.c.seven_pairs_quads = seven_pairs_quads
        self.c.joker_fifth_copy = joker_fifth_copy
        self.c.joker_special_forms = joker_special_forms
        self.c.joker_kind = -1 if joker_kind is None else kind_of(joker_kind)
        self.c.eyes = ALL_KINDS if eyes is None else KindSet(eyes).mask
        if self.c.eyes == 0:
            raise ValueError("expected at least one kind of eyes, got none")
        if not isinstance(wait_mode, str) or wait_mode not in WAIT_MODES:
            raise ValueError(f"expected a wait_mode of {', '.join(WAIT_MODES)}, got {shown(wait_mode)}")
        self.c_wait_mode = WAIT_MODES.index(wait_mode)
        # All zero for the default rules.  Lane m: bits 6 .. 17 of its spare ones, above operation and
        # number of jokers; lane z: the kinds that may not be eyes.
        hand_clear(&self.key)
        self.key.lane[0] = <lane_t> (
            (self.c.forms ^ FORMS_DEFAULT) | self.c.seven_pairs_quads << 6 | (not self.c.joker_fifth_copy) << 7
            | (not self.c.joker_special_forms) << 8 | (self.c.joker_kind + 1) << 9) << (LANE_BITS + 8)
        self.key.lane[LANE_Z] = (ALL_KINDS & ~self.c.eyes) << HONOR_BITS

    @staticmethod
    def preset(name, /, **changes):
        """
        Return the hand rules of a rule set by name, with changes.

        Parameters
        ----------
        name : {"default", "mcr", "riichi", "hk", "tuidaohu", "wuhan"}
            Which rule set.  hk knows no seven pairs; wuhan only the standard form.
        **changes
            Options to change, as in the constructor.

        Raises
        ------
        ValueError
            If there is no such rule set.

        Examples
        --------
        >>> HandRules.preset("wuhan", joker_kind="5m")
        HandRules(forms=('standard',), joker_kind='5m')
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise ValueError(f"expected a rule set of {', '.join(PRESETS)}, got {shown(name)}")
        return HandRules(**{**PRESETS[name], **changes})

    def replace(self, **changes):
        """
        Return a copy with some options changed.

        Examples
        --------
        >>> HandRules().replace(wait_mode="shape")
        HandRules(wait_mode='shape')
        """
        return HandRules(**{**self._options(), **changes})

    @property
    def forms(self):
        """The shapes that win."""
        return tuple([form for form in FORMS if self.c.forms & <unsigned int> FORM_BITS[form]])

    @property
    def seven_pairs_quads(self):
        """Whether four of a kind are two of the seven pairs."""
        return self.c.seven_pairs_quads != 0

    @property
    def joker_fifth_copy(self):
        """Whether a joker may play as a kind of which four copies are held."""
        return self.c.joker_fifth_copy != 0

    @property
    def joker_special_forms(self):
        """Whether jokers may stand in seven pairs and thirteen orphans."""
        return self.c.joker_special_forms != 0

    @property
    def joker_kind(self):
        """The kind of which each copy is a joker, or None."""
        return None if self.c.joker_kind < 0 else self.c.joker_kind

    @property
    def eyes(self):
        """The kinds that may be the eyes of a standard hand."""
        return KindSet.from_mask(self.c.eyes)

    @property
    def wait_mode(self):
        """Which waits `ting` reports."""
        return WAIT_MODES[self.c_wait_mode]

    def _options(self):
        return {
            "forms": self.forms,
            "seven_pairs_quads": self.seven_pairs_quads,
            "joker_fifth_copy": self.joker_fifth_copy,
            "joker_special_forms": self.joker_special_forms,
            "joker_kind": self.joker_kind,
            "eyes": self.eyes,
            "wait_mode": self.wait_mode,
        }

    def __repr__(self):
        options = self._options()
        parts = []
        for name, value in HandRules()._options().items():
            if options[name] != value:
                if name == "eyes":
                    text = repr(str(options[name]))
                elif name == "joker_kind":
                    text = repr(tile_name(options[name]))
                else:
                    text = repr(options[name])
                parts.append(f"{name}={text}")
        return f"HandRules({', '.join(parts)})"

    def __eq__(self, other):
        if not isinstance(other, HandRules):
            return NotImplemented
        return self._options() == other._options()

    def __hash__(self):
        return hash(tuple(self._options().values()))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _restore, (self._options(),)


def _restore(options):
    return HandRules(**options)
