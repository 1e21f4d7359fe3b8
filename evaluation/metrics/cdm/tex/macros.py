r"""Macros: name, number of arguments, replacement.

The meaning of each is LaTeX's or amsmath's documented one (LaTeX: A Document Preparation System; amsldoc;
TeXbook, appendix B), written with the primitives of `primitives.py`. Names with @ are internal.
"""

from __future__ import annotations

from .lexer import tokenize_definition

_DEFINITIONS = r"""
\frac 2 {{\begingroup #1\endgroup\@over #2}}
\dfrac 2 {\displaystyle{\begingroup #1\endgroup\@over #2}}
\tfrac 2 {\textstyle{\begingroup #1\endgroup\@over #2}}
\cfrac 2 {\displaystyle{\begingroup\strut #1\endgroup\@over #2}}\kern-1.2pt
\binom 2 {{\begingroup #1\endgroup\@choose #2}}
\dbinom 2 {\displaystyle{\begingroup #1\endgroup\@choose #2}}
\tbinom 2 {\textstyle{\begingroup #1\endgroup\@choose #2}}
\overline 1 \@overline{#1}
\underline 1 \@underline{#1}
\operatorname 0 \@ifstar{\@opname\displaylimits}{\@opname\@nolimits}
\operatornamewithlimits 1 \@opname\displaylimits{#1}
\@opname 2 \mathop{\kern0pt\@operatorfont #2}#1
\@nolimits 0 \nolimits
\stackrel 2 \mathrel{\mathop{#2}\limits^{#1}}
\overset 2 \@likeatom{#2}{\mathop{\kern0pt #2}\limits^{#1}}
\underset 2 \@likeatom{#2}{\mathop{\kern0pt #2}\limits_{#1}}
\overbrace 1 \mathop{\@overbrace{#1}}\limits
\underbrace 1 \mathop{\@underbrace{#1}}\limits
\dddot 1 {\mathop{\kern0pt #1}\limits^{\@raiseddots{...}}}
\ddddot 1 {\mathop{\kern0pt #1}\limits^{\@raiseddots{....}}}
\sum 0 \@sum\displaylimits
\prod 0 \@prod\displaylimits
\coprod 0 \@coprod\displaylimits
\bigcap 0 \@bigcap\displaylimits
\bigcup 0 \@bigcup\displaylimits
\bigsqcup 0 \@bigsqcup\displaylimits
\biguplus 0 \@biguplus\displaylimits
\bigodot 0 \@bigodot\displaylimits
\bigoplus 0 \@bigoplus\displaylimits
\bigotimes 0 \@bigotimes\displaylimits
\bigvee 0 \@bigvee\displaylimits
\bigwedge 0 \@bigwedge\displaylimits
\int 0 \intop\nolimits
\oint 0 \ointop\nolimits
\iint 0 \@iint{2}
\iiint 0 \@iint{3}
\iiiint 0 \@iint{4}
\idotsint 0 \@iint{0}
\ldots 0 \mathinner{\ldotp\ldotp\ldotp}
\mathellipsis 0 \mathinner{\ldotp\ldotp\ldotp}
\hdots 0 \mathinner{\ldotp\ldotp\ldotp}
\dots 0 \mathinner{\ldotp\ldotp\ldotp}
\dotsc 0 \mathinner{\ldotp\ldotp\ldotp}
\dotso 0 \mathinner{\ldotp\ldotp\ldotp}
\cdots 0 \mathinner{\cdotp\cdotp\cdotp}
\dotsb 0 \mathinner{\cdotp\cdotp\cdotp}
\dotsm 0 \mathinner{\cdotp\cdotp\cdotp}
\dotsi 0 \!\mathinner{\cdotp\cdotp\cdotp}
\ddots 0 \mathinner{\mkern1mu\@dotat{7}\mkern2mu\@dotat{4}\mkern2mu\@dotat{1}\mkern1mu}
\ne 0 \not=
\neq 0 \not=
\doteq 0 \mathrel{\mathop{\kern0pt =}\limits^{\textstyle.}}
\cong 0 \mathrel{\@cong}
\notin 0 \mathrel{\@struckin}
\joinrel 0 \mathrel{\mkern-3mu}
\relbar 0 \mathrel{\smash{-}}
\Relbar 0 \mathrel{=}
\longrightarrow 0 \relbar\joinrel\rightarrow
\Longrightarrow 0 \Relbar\joinrel\Rightarrow
\longleftarrow 0 \leftarrow\joinrel\relbar
\Longleftarrow 0 \Leftarrow\joinrel\Relbar
\longleftrightarrow 0 \leftarrow\joinrel\rightarrow
\Longleftrightarrow 0 \Leftarrow\joinrel\Rightarrow
\mapsto 0 \mapstochar\rightarrow
\longmapsto 0 \mapstochar\longrightarrow
\hookrightarrow 0 \lhook\joinrel\rightarrow
\hookleftarrow 0 \leftarrow\joinrel\rhook
\iff 0 \;\Longleftrightarrow\;
\implies 0 \;\Longrightarrow\;
\impliedby 0 \;\Longleftarrow\;
\bowtie 0 \mathrel\triangleright\joinrel\mathrel\triangleleft
\models 0 \mathrel{|}\joinrel\Relbar
\dashrightarrow 0 \mathrel{\dabar@\dabar@\@dashright}
\dasharrow 0 \mathrel{\dabar@\dabar@\@dashright}
\dashleftarrow 0 \mathrel{\@dashleft\dabar@\dabar@}
\bmod 0 \nonscript\@nomedspace\mkern5mu\mathbin{\@operatorfont mod}\mkern5mu\nonscript\@nomedspace
\pmod 1 \mkern18mu({\@operatorfont mod}\mkern6mu #1)
\pod 1 \mkern18mu(#1)
\mod 1 \mkern18mu{\@operatorfont mod}\,\,#1
\colon 0 \mskip2mu\mathpunct{}\nonscript\mkern-3mu{:}\mskip6mu\relax
\surd 0 {\@surd}
\big 1 {\@big#1}
\Big 1 {\@Big#1}
\bigg 1 {\@bigg#1}
\Bigg 1 {\@Bigg#1}
\choose 0 \@choose
\vdots 0 {\@vdots}
\mathstrut 0 \vphantom(
\bigl 0 \mathopen\big
\Bigl 0 \mathopen\Big
\biggl 0 \mathopen\bigg
\Biggl 0 \mathopen\Bigg
\bigr 0 \mathclose\big
\Bigr 0 \mathclose\Big
\biggr 0 \mathclose\bigg
\Biggr 0 \mathclose\Bigg
\bigm 0 \mathrel\big
\Bigm 0 \mathrel\Big
\biggm 0 \mathrel\bigg
\Biggm 0 \mathrel\Bigg
\, 0 \mskip3mu\relax
\thinspace 0 \mskip3mu\relax
\! 0 \mskip-3mu\relax
\negthinspace 0 \mskip-3mu\relax
\: 0 \@medspace
\> 0 \@medspace
\medspace 0 \@medspace
\negmedspace 0 \mskip-4mu\relax
\; 0 \mskip5mu\relax
\thickspace 0 \mskip5mu\relax
\negthickspace 0 \mskip-5mu\relax
\enspace 0 \kern.5em\relax
\enskip 0 \hskip.5em\relax
\quad 0 \hskip1em\relax
\qquad 0 \hskip2em\relax
\mspace 1 \mskip#1\relax
\null 0 {\@emptybox}
\Hat 0 \hat
\Check 0 \check
\Tilde 0 \tilde
\Acute 0 \acute
\Grave 0 \grave
\Dot 0 \dot
\Ddot 0 \ddot
\Breve 0 \breve
\Bar 0 \bar
\Vec 0 \vec
\injlim 0 \@opname\displaylimits{inj\,lim}
\projlim 0 \@opname\displaylimits{proj\,lim}
\liminf 0 \@opname\displaylimits{lim\,inf}
\limsup 0 \@opname\displaylimits{lim\,sup}
\varinjlim 0 \@opname\displaylimits{\underrightarrow{\@operatorfont lim}}
\varprojlim 0 \@opname\displaylimits{\underleftarrow{\@operatorfont lim}}
\varliminf 0 \@opname\displaylimits{\underline{\@operatorfont lim}}
\varlimsup 0 \@opname\displaylimits{\overline{\@operatorfont lim}}
\yen 0 \@yen
\checkmark 0 \@checkmark
\circledR 0 \@circledR
\maltese 0 \@maltese
\bf 0 \@fam{8}
\rm 0 \@fam{0}
\it 0 \@fam{11}
\sf 0 \@fam{9}
\tt 0 \@fam{10}
\sl 0 \@textonly
\sc 0 \@textonly
\cal 0 \@fam{2}
\mit 0 \@fam{1}
\Bbb 0 \mathbb
\frak 0 \mathfrak
\bold 0 \mathbf
\textrm 1 \@textfont{0}{#1}
\textbf 1 \@textfont{8}{#1}
\textit 1 \@textfont{11}{#1}
\textsl 1 \@textfont{12}{#1}
\textsf 1 \@textfont{9}{#1}
\texttt 1 \@textfont{10}{#1}
\textsc 1 \@textfont{13}{#1}
\emph 1 \@textfont{11}{#1}
\textup 1 \@textfont{0}{#1}
\textmd 1 \@textfont{0}{#1}
\textnormal 1 \@textfont{0}{#1}
\substack 1 \@substack{#1}
\label 1 \relax
\hphantom 1 \@hphantom{#1}
\S 0 {\mathsection}
\P 0 {\mathparagraph}
\$ 0 {\mathdollar}
\pounds 0 {\mathit{\@pounds}}
\lq 0 {\@backquote}
\rq 0 '
\ensuremath 1 #1
\mbox 1 \hbox{#1}
\limits@ 0 \relax
"""

_NO_LIMITS = (
    "arccos arcsin arctan arg cos cosh cot coth csc deg dim exp hom ker lg ln log sec sin sinh tan tanh"
)
_LIMITS = "det gcd inf lim max min Pr sup"


class Macro:
    """A command that expands to other tokens. `parts`: the replacement, last token first; integers are arguments."""

    __slots__ = ("arguments", "parts")

    def __init__(self, arguments: int, parts: tuple[str | int, ...]) -> None:
        self.arguments = arguments
        self.parts = parts


def _compile(arguments: int, body: str) -> Macro:
    parts: list[str | int] = []
    tokens = tokenize_definition(body)  # last token first, so "#1" arrives as "1", "#"
    for token in tokens:
        if token == "#":
            digit = parts.pop()
            parts.append(int(digit))
        else:
            parts.append(token)
    return Macro(arguments, tuple(parts))


def definitions() -> dict[str, Macro]:
    """All macros by name."""
    table: dict[str, Macro] = {}
    for line in _DEFINITIONS.strip().splitlines():
        name, count, body = line.split(" ", 2)
        table[name] = _compile(int(count), body)
    for name in _NO_LIMITS.split():
        table["\\" + name] = _compile(0, rf"\@opname\nolimits{{{name}}}")
    for name in _LIMITS.split():
        table["\\" + name] = _compile(0, rf"\@opname\displaylimits{{{name}}}")
    return table
