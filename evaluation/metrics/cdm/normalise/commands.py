r"""The commands of the formula grammar, as the reference's parser knows them."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from ..name_lists import split_names

ENDS_EXPRESSION = frozenset(
    split_names(
        r"} \end \right & \\ \cr",
    )
)
SIZES = frozenset(
    split_names(
        r"\tiny \scriptsize \footnotesize \small \normalsize \large \Large \LARGE \huge \Huge \textrm \rm",
        r"\cal \bf \siptstyle \boldmath \it",
    )
)
STYLES = frozenset([r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\scriptscriptstyle"])
DELIMITERS = frozenset(
    split_names(
        r"( ) [ \lbrack ] \rbrack \{ \lbrace \} \rbrace \lfloor \rfloor \lceil \rceil < > \langle \rangle",
        r"\lt \gt \lvert \rvert \lVert \rVert \lgroup \rgroup \lmoustache \rmoustache / \backslash |",
        r"\vert \| \Vert \uparrow \Uparrow \downarrow \Downarrow \updownarrow \Updownarrow .",
    )
)
ALIASES = {r"\Bbb": r"\mathbb", r"\bold": r"\mathbf", r"\frak": r"\mathfrak"}
_COLORS = split_names(
    r"\blue \orange \pink \red \green \gray \purple \blueA \blueB \blueC \blueD \blueE \tealA \tealB",
    r"\tealC \tealD \tealE \greenA \greenB \greenC \greenD \greenE \goldA \goldB \goldC \goldD \goldE",
    r"\redA \redB \redC \redD \redE \maroonA \maroonB \maroonC \maroonD \maroonE \purpleA \purpleB",
    r"\purpleC \purpleD \purpleE \mintA \mintB \mintC \grayA \grayB \grayC \grayD \grayE \grayF",
    r"\grayG \grayH \grayI \kaBlue \kaGreen",
)
_FUNCTION_GROUPS: list[tuple[str, str, int, int]] = [  # names, kind, arguments, greediness
    (r"\sqrt", "sqrt", 1, 1),
    (r"\text \mbox \hbox \vbox", "text", 1, 2),
    (r"\overline", "overline", 1, 1),
    (r"\underline", "underline", 1, 1),
    (r"\rule", "rule", 2, 1),
    (r"\KaTeX", "unprintable", 0, 1),
    (r"\phantom", "phantom", 1, 1),
    (
        r"\arcsin \arccos \arctan \arg \cos \cosh \cot \coth \csc \deg \dim \exp \hom \ker \lg \ln \log \sec \sin"
        r" \sinh \tan \tanh",
        "function",
        0,
        1,
    ),
    (r"\det \gcd \inf \lim \liminf \limsup \max \min \Pr \sup", "limit_function", 0, 1),
    (
        r"\int \iint \iiint \oint \coprod \bigvee \bigwedge \biguplus \bigcap \bigcup \intop \prod \sum \bigotimes"
        r" \bigoplus \bigodot \bigsqcup \smallint",
        "big_symbol",
        0,
        1,
    ),
    (r"\dfrac \frac \tfrac", "frac", 2, 2),
    (r"\dbinom \binom \tbinom", "binom", 2, 2),
    (r"\llap \rlap", "lap", 1, 1),
    (
        r"\bigl \Bigl \biggl \Biggl \bigr \Bigr \biggr \Biggr \bigm \Bigm \biggm \Biggm \big \Big \bigg \Bigg",
        "delimiter_size",
        1,
        1,
    ),
    (r"\left \right", "fence", 1, 1),
    (" ".join(SIZES | STYLES), "switch", 0, 1),
    (
        r"\mathrm \mathit \mathbf \mathop \stackrel \mathbb \mathcal \mathfrak \mathscr \mathsf \mathtt \label"
        r" \comment \hspace \vspace \atop \fbox \tag \makebox \raisebox \framebox \circle \line \put \vphantom"
        r" \textup \noalign \Bbb \bold \frak",
        "font",
        1,
        2,
    ),
    (r"\acute \grave \ddot \tilde \bar \breve \check \hat \vec \dot", "accent", 1, 1),
    (r"\over \choose", "infix", 0, 1),
    (r"\\ \cr", "row_end", 0, 1),
    (r"\begin \end", "environment", 1, 1),
    (r"\color " + " ".join(_COLORS), "unprintable", 1, 3),
]
FUNCTIONS = {
    name: (kind, count, greed) for names, kind, count, greed in _FUNCTION_GROUPS for name in names.split()
}
FENCES = {
    "matrix": None,
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": (r"\{", r"\}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": (r"\Vert", r"\Vert"),
}
ENVIRONMENTS = frozenset(["array", "tabular", "picture", "cases", "aligned", *FENCES])
SPACES = frozenset([r"\quad", r"\!", r"\ ", "~", r"\,", r"\:", r"\;", r"\enspace", r"\qquad", r"\space"])
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


@lru_cache(maxsize=1)
def whole_names() -> frozenset[str]:
    """Commands the reference's parser knows as something other than a letter: printed whole in roman text."""
    data = resources.files("evaluation.metrics.cdm").joinpath("data/katex_names.txt")
    return frozenset(data.read_text(encoding="utf-8").split("\n"))
