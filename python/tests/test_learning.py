"""Releases as numbers for learners, new rows, and scikit-learn."""

from __future__ import annotations

import numpy
import pandas
import pyarrow
import pytest
from conftest import EDUCATION, people
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import shoal
from shoal.sklearn import Anonymizer

ROLES = {"quasi": ["age", "sex", "education"], "identifier": ["name", "zip"], "sensitive": ["illness"], "target": ["income"]}


@pytest.fixture
def release(table):
    return shoal.anonymize(table, k=5, hierarchies={"education": EDUCATION}, **ROLES)


def test_middles_lie_in_their_bounds_and_shares_add_up(release, table):
    features, bounds = release.frame_as(numbers="midpoint", categories="shares"), release.frame_as(numbers="bounds")
    for middle, low, high in zip(features["age"].to_pylist(), bounds["age_low"].to_pylist(), bounds["age_high"].to_pylist()):
        assert low - 1e-9 <= middle <= high + 1e-9
    for column, values in (("sex", {"f", "m"}), ("education", {"9th", "10th", "BSc", "MSc"})):
        parts = numpy.column_stack([features[f"{column}={value}"].to_numpy() for value in values])
        assert numpy.allclose(parts.sum(axis=1), 1)
    ages = table["age"].to_pylist()
    for row, original in enumerate(release.original_rows()):
        assert bounds["age_low"][row].as_py() <= ages[original] <= bounds["age_high"][row].as_py()
        education = table["education"][original].as_py()
        assert features[f"education={education}"][row].as_py() > 0


def test_missing_numbers_stay_missing():
    table = people(120, missing=True)
    release = shoal.anonymize(table, k=3, method="mondrian", **ROLES)
    middles = release.frame_as()["age"].to_pylist()
    texts = release.frame["age"].to_pylist()
    assert any(text is None for text in texts)
    assert [middle is None for middle in middles] == [text is None for text in texts]


def test_drawn_rows_are_among_what_their_cells_stand_for(release):
    drawn = release.draw(seed=3)
    columns = release.columns()
    for name in ("age", "education"):
        for cell, value in zip(release.frame[name].to_pylist(), drawn[name].to_pylist()):
            first, last = columns[name].stretch(cell)
            leaves = columns[name].numbers if columns[name].numeric else columns[name].leaves
            assert value in leaves[first : last + 1]
    assert release.draw(7).num_rows == 7
    assert release.draw(7, seed=2).equals(release.draw(7, seed=2))


@pytest.mark.parametrize("method", ["mondrian", "incognito", "tdr", "shoal"])
def test_new_rows_are_mapped(table, method):
    release = shoal.anonymize(table, k=5, method=method, hierarchies={"education": EDUCATION}, **ROLES)
    released = {tuple(row.values()) for row in release.frame.select(["age", "sex", "education"]).to_pylist()}
    new = release.transform(people(50, seed=9))
    assert "name" not in new.column_names
    if method in ("mondrian", "shoal"):
        assert {tuple(row.values()) for row in new.select(["age", "sex", "education"]).to_pylist()} <= released
    unknown = pyarrow.table({"age": [200], "sex": ["?"], "education": ["PhD"], "illness": ["x"], "income": ["low"]})
    assert release.transform(unknown)["sex"].to_pylist() == ["*"]
    if method in ("mondrian", "incognito", "tdr"):  # what they were made from comes out as it was released
        again = release.transform(table)
        assert again.select(["age", "sex", "education"]).to_pylist() == release.aligned().select(["age", "sex", "education"]).to_pylist()
    assert release.transform_features(new_rows := people(50, seed=9)).column_names == release.features().column_names, new_rows


@parametrize_with_checks([Anonymizer(k=2), Anonymizer(k=3, method="incognito", hierarchies={})])
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


def test_an_anonymizer_in_a_pipeline_and_a_grid(table):
    frame = table.to_pandas()
    X, y = frame[["age", "sex", "education"]], frame["income"]
    model = make_pipeline(Anonymizer(k=5, hierarchies={"education": EDUCATION}), LogisticRegression(max_iter=500))
    grid = GridSearchCV(model, {"anonymizer__k": [2, 20], "anonymizer__method": ["mondrian", "tdr"]}, cv=2).fit(X, y)
    assert grid.best_score_ > 0.5
    anonymizer = clone(model[0]).fit(X, y)
    assert list(anonymizer.get_feature_names_out())[:1] == ["age"]
    assert isinstance(anonymizer.set_output(transform="pandas").transform(X), pandas.DataFrame)


def test_methods_that_cannot_map_are_refused_by_name(table):
    with pytest.raises(shoal.JobError, match="method shoal .*cannot transform; use one of .*mondrian"):
        Anonymizer(method="shoal").fit(numpy.arange(20.0).reshape(10, 2))


def test_estimators_are_evaluated_beside_our_learners(table):
    page = shoal.evaluate(
        table, methods=["mondrian"], learners=["nb", LogisticRegression(max_iter=300)], k=[5], folds=2, **ROLES
    )
    rows = page.as_dict()["estimators"]
    assert {(row["method"], row["k"]) for row in rows} == {("raw", 0), ("without-quasi", 0), ("mondrian", 5)}
    assert all(0 <= row["error"] <= 0.6 for row in rows)
    assert "LogisticRegression" in repr(page)
