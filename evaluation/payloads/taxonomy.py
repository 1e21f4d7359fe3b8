"""The types of errors in hand-drawn diagrams: 23 types in four domains.

The names are those of the SketchJudge benchmark (arXiv 2601.06944, table 13, spelled as in its taxonomy file). The
definitions are InkBench's own, written from the names and the use of the types, because graders need a rule to decide
by. A project may supply its own taxonomy (`Taxonomy.from_mapping`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.errors import gettext_noop

_PUNCTUATION = str.maketrans(dict.fromkeys(",.:;-_/\\()[]", " "))


def domain_id(domain: str) -> str:
    """Lower case, white space runs to one space.

    >>> domain_id("  Free  Body ")
    'free body'
    """
    return " ".join(domain.split()).lower()


def label_key(name: str) -> str:
    """The form in which names are compared: lower case, punctuation to spaces, runs of spaces to one.

    >>> label_key("Direction/Polarity  Error")
    'direction polarity error'
    """
    return " ".join(name.lower().translate(_PUNCTUATION).split())


def label_id(domain: str, name: str) -> str:
    """The id of an error type; the same name in two domains is two types.

    >>> label_id("Physics", "Connection_Error")
    'physics::connection error'
    """
    return f"{domain_id(domain)}::{label_key(name)}"


@dataclass(frozen=True, slots=True)
class ErrorType:
    """A type of error: its name and the rule when it applies."""

    name: str
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The error types of each domain, in display order (of two equally similar names the first is taken)."""

    domains: Mapping[str, tuple[ErrorType, ...]]

    @classmethod
    def from_mapping(cls, data: Mapping[str, Sequence[str | Mapping[str, str]]]) -> Taxonomy:
        """Read `{domain: [name, ...]}` or `{domain: [{"label": ..., "description": ...}, ...]}`.

        A key "version" is not a domain and is ignored. Raises ValueError, naming the domain, if a name is missing or
        two names are equal once normalised.

        >>> Taxonomy.from_mapping({"Chart": ["Omission Error"]}).ids("chart")
        ('chart::omission error',)
        """
        domains: dict[str, tuple[ErrorType, ...]] = {}
        for raw_domain, entries in data.items():
            if raw_domain == "version":
                continue
            domain = domain_id(raw_domain)
            types = tuple(_read_type(entry, domain) for entry in entries)
            keys = [label_key(kind.name) for kind in types]
            duplicates = sorted({key for key in keys if keys.count(key) > 1})
            if duplicates:
                raise ValueError(f"taxonomy, domain {domain!r}: {duplicates[0]!r} is there twice; keep one")
            domains[domain] = types
        return cls(domains)

    def types(self, domain: str) -> tuple[ErrorType, ...]:
        """The types of a domain; none for a domain the taxonomy does not know."""
        return self.domains.get(domain_id(domain), ())

    def ids(self, domain: str) -> tuple[str, ...]:
        """The ids of the types of one domain, in display order."""
        return tuple(label_id(domain, kind.name) for kind in self.types(domain))

    def all_ids(self) -> tuple[str, ...]:
        """The ids of all types, sorted: the classes of macro averages."""
        return tuple(sorted({type_id for domain in self.domains for type_id in self.ids(domain)}))

    def find(self, domain: str, name: str) -> ErrorType | None:
        """The type of this name in this domain, regardless of case and punctuation; None if there is none."""
        key = label_key(name)
        return next((kind for kind in self.types(domain) if label_key(kind.name) == key), None)

    def __iter__(self) -> Iterator[str]:
        return iter(self.domains)


def _read_type(entry: str | Mapping[str, str], domain: str) -> ErrorType:
    if isinstance(entry, str):
        kind = ErrorType(entry.strip())
    else:
        kind = ErrorType(str(entry.get("label", "")).strip(), str(entry.get("description", "")).strip())
    if not kind.name:
        raise ValueError(f"taxonomy, domain {domain!r}: an error type has no name; give it one in 'label'")
    return kind


_GEOMETRY = (
    ErrorType(
        gettext_noop("Conceptual Cognition Error"),
        gettext_noop(
            "The figure shows a different concept from the one asked for: a median instead "
            "of a height, a chord instead of a tangent."
        ),
    ),
    ErrorType(
        gettext_noop("Geometric Principle Error"),
        gettext_noop(
            "The concept is right, but the drawing violates a theorem or a given condition "
            "(angle, ratio, parallel)."
        ),
    ),
    ErrorType(
        gettext_noop("Operational Process Error"),
        gettext_noop("A construction step is wrong or missing: unequal radii, a missing arc."),
    ),
    ErrorType(
        gettext_noop("Strategy Planning Error"),
        gettext_noop("The chosen method cannot produce the required figure, however carefully it is drawn."),
    ),
    ErrorType(
        gettext_noop("Diagram Annotation Error"),
        gettext_noop(
            "The figure is right, but a letter, length, right-angle mark or equality mark is "
            "wrong or missing."
        ),
    ),
)
_PHYSICS = (
    ErrorType(
        gettext_noop("Concept/Target Error"),
        gettext_noop(
            "A different quantity or object is drawn from the one asked for: another body's "
            "forces, velocity instead of force."
        ),
    ),
    ErrorType(
        gettext_noop("Direction/Polarity Error"),
        gettext_noop("An arrow, pole, current or diode points the wrong way."),
    ),
    ErrorType(
        gettext_noop("Magnitude/Scale Error"),
        gettext_noop(
            "Lengths or values are out of proportion: arrows that should balance do not, a ray bends too far."
        ),
    ),
    ErrorType(
        gettext_noop("Connection Error"),
        gettext_noop(
            "Parts are connected so that the circuit or system changes: series instead of "
            "parallel, a short circuit, an open wire."
        ),
    ),
    ErrorType(
        gettext_noop("Placement Error"),
        gettext_noop(
            "The part or arrow is right but in the wrong place: wrong branch, point of application or side."
        ),
    ),
    ErrorType(
        gettext_noop("Conceptual Misunderstanding"),
        gettext_noop("The drawing relies on a law that does not hold or does not apply here."),
    ),
    ErrorType(
        gettext_noop("Drawing Convention Error"),
        gettext_noop("The physics is right, but a symbol, line style or label does not follow convention."),
    ),
)
_CHART = (
    ErrorType(
        gettext_noop("Inappropriate Chart Type"),
        gettext_noop(
            "The chart type cannot show what was asked: a line for shares of a whole, a pie "
            "for change over time."
        ),
    ),
    ErrorType(
        gettext_noop("Data Association Error"),
        gettext_noop(
            "A value is assigned to the wrong category, series or axis, or two series are merged into one."
        ),
    ),
    ErrorType(
        gettext_noop("Data Accuracy Error"),
        gettext_noop("A bar, point or slice differs from the data by more than freehand drawing excuses."),
    ),
    ErrorType(
        gettext_noop("Omission Error"),
        gettext_noop(
            "Something the task asks for is missing: a data point, a series, an axis, a required label."
        ),
    ),
    ErrorType(
        gettext_noop("Presentation Convention Error"),
        gettext_noop(
            "The data are right, but the chart breaks conventions for reading it: uneven "
            "scale, no unit, unclear legend."
        ),
    ),
)
_FLOWCHART = (
    ErrorType(
        gettext_noop("Shape Error"),
        gettext_noop(
            "A step has the symbol of another kind of step: a decision in a box, a start in a diamond."
        ),
    ),
    ErrorType(
        gettext_noop("Connection Error"),
        gettext_noop("An arrow is missing, superfluous, has no head, or goes to the wrong step."),
    ),
    ErrorType(
        gettext_noop("Missing Step"),
        gettext_noop("A step of the procedure (including start, end, input or output) is not drawn."),
    ),
    ErrorType(
        gettext_noop("Missing Label"),
        gettext_noop("A step or a branch of a decision lacks the text that says what it is."),
    ),
    ErrorType(
        gettext_noop("Logic Reversal"),
        gettext_noop(
            "The branches of a decision, or two steps, are swapped, so the procedure does the opposite."
        ),
    ),
    ErrorType(
        gettext_noop("Condition Error"),
        gettext_noop(
            "The condition of a decision, or a value counted or compared, is not the one the task requires."
        ),
    ),
)

DIAGRAM_TAXONOMY = Taxonomy(
    {"geometry": _GEOMETRY, "physics": _PHYSICS, "chart": _CHART, "flowchart": _FLOWCHART}
)
