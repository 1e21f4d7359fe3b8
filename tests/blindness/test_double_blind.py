"""Who reads what of other people's work in the mode `double_blind`."""

from __future__ import annotations

import pytest

from annotation.models.project import VerificationMode
from tests.blindness.matrix_tests import MatrixTests

MODE = VerificationMode.DOUBLE_BLIND
pytestmark = pytest.mark.django_db


class TestDoubleBlind(MatrixTests):
    """Every test of the matrix."""
