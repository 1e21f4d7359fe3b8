"""Who reads what of other people's work in the mode `verify`."""

from __future__ import annotations

import pytest

from annotation.models.project import VerificationMode
from tests.blindness.matrix_tests import MatrixTests

MODE = VerificationMode.VERIFY
pytestmark = pytest.mark.django_db


class TestVerify(MatrixTests):
    """Every test of the matrix."""
