# Groups and melds of a winning hand as text.

cdef str tiles_text(tuple kinds)
cdef str group_text(int group)
cdef str meld_as_text(int code)         # in brackets
