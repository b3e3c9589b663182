from mjcore.tiles import LETTERS as LETTERS
