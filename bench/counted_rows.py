"""What the search on Spark's driver holds: the distinct tuples of a table with their counts, or every row counted out again. One
process for each (bench/counted_rows.sh): prints rows, distinct tuples, GCP, processor seconds and the memory that the search added."""

from __future__ import annotations

import json
import resource
import sys

import pyarrow
import pyarrow.parquet

from shoal import _second_engine, _shoal, _spark_parts
from shoal.job import Job


def main() -> None:
    how, tuples_file, hierarchies, method, *quasi = sys.argv[1:]
    tuples = pyarrow.parquet.read_table(tuples_file)
    counts = tuples["count"].to_numpy()
    columns = {name: {"role": "quasi", **({} if name == "age" else {"hierarchy": f"{hierarchies}/adult_hierarchy_{name}.csv"})} for name in quasi}
    columns["age"]["type"] = "numeric"
    job = Job.of({"columns": columns, "k": 10, "method": method, "threads": 2}, {})._handle()
    table = pyarrow.table({name: tuples[name].combine_chunks().dictionary_encode() for name in quasi})
    times = counts.astype("uint32").tobytes()
    if how == "rows":
        import numpy

        table = table.take(pyarrow.array(numpy.repeat(numpy.arange(len(counts)), counts)))
        times = b""
    before = resource.getrusage(resource.RUSAGE_SELF)
    handle = _shoal.anonymize(
        job, _shoal.AnonymizeTables(_spark_parts.taken(table), None, [], times=times), _second_engine.engine(), None, None
    )
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert handle.status == "released", handle.reason
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    gcp = json.loads(handle.json(False))["measures"]["gcp"]
    print(f"{method:>12} {how:>7} {counts.sum():>10} {len(counts):>9} {gcp:9.5f} {seconds:8.1f} {after.ru_maxrss / 1024:8.0f}")


if __name__ == "__main__":
    main()
