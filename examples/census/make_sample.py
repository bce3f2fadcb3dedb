#!/usr/bin/env python3
"""Makes the bundled sample: 3,000 invented people with census-like columns, and the hierarchies beside them.

Run it in this folder; the same seed gives the same bytes. Nobody in it exists.
"""
import csv
import random

random.seed(1980)
PEOPLE = 3000

FIRST = {"Female": "Ada Amara Beth Carmen Chloe Dana Elif Emma Fatima Grace Hana Ines Julia Kim Lena Maria Mei Nora "
                   "Olga Priya Rosa Sara Tara Uma Vera Wanda Yuki Zoe".split(),
         "Male": "Adam Amir Ben Carlos Chen David Emil Felix Goran Hugo Ivan Jamal Jorge Karl Liam Marco Nils Omar "
                 "Paul Quentin Rafael Sami Tom Udo Victor Will Yusuf Zach".split()}
LAST = ("Abbot Baker Castro Diaz Evans Fischer Garcia Hill Ito Jansen Khan Larsen Meyer Novak Okafor Petrov Quinn Rossi "
        "Smith Tanaka Unger Vega Weber Xu Young Zhang").split()

# (label, share, parent); the order is the order of the hierarchy file.
EDUCATION = [("Primary school", 4, "Up to 9 years"), ("Lower secondary", 8, "Up to 9 years"),
             ("High school", 30, "Secondary"), ("Vocational", 18, "Secondary"),
             ("Some college", 12, "Tertiary"), ("Bachelor", 17, "Tertiary"), ("Master", 8, "Tertiary"),
             ("Doctorate", 3, "Tertiary")]
OCCUPATION = [("Farm work", 3, "Manual", "Labour"), ("Construction", 8, "Manual", "Labour"),
              ("Machine operation", 8, "Manual", "Labour"), ("Transport", 6, "Manual", "Labour"),
              ("Sales", 13, "Customer-facing", "Services"), ("Food service", 7, "Customer-facing", "Services"),
              ("Personal care", 6, "Customer-facing", "Services"), ("Security", 3, "Customer-facing", "Services"),
              ("Clerical", 13, "Office", "White collar"), ("Management", 10, "Office", "White collar"),
              ("Engineering", 8, "Professional", "White collar"), ("Teaching", 7, "Professional", "White collar"),
              ("Health", 6, "Professional", "White collar"), ("Law", 2, "Professional", "White collar")]
COUNTRY = [("Northland", 80, "Home", "Home"), ("France", 2, "Western Europe", "Europe"),
           ("Germany", 3, "Western Europe", "Europe"), ("Italy", 2, "Southern Europe", "Europe"),
           ("Spain", 1, "Southern Europe", "Europe"), ("Poland", 2, "Eastern Europe", "Europe"),
           ("Romania", 1, "Eastern Europe", "Europe"), ("Mexico", 3, "Latin America", "Overseas"),
           ("Brazil", 1, "Latin America", "Overseas"), ("China", 2, "Asia", "Overseas"),
           ("India", 2, "Asia", "Overseas"), ("Vietnam", 1, "Asia", "Overseas")]
MARITAL = ["Never married", "Married", "Separated", "Divorced", "Widowed"]
ZIPS = [f"{area}{block}{street}" for area in ("10", "11", "20", "21", "33") for block in "0123" for street in "02468"]
ZIP_WEIGHTS = [random.uniform(0.3, 2.0) ** 2 for _ in ZIPS]


def pick(rows):
    return random.choices(rows, weights=[row[1] for row in rows])[0]


def person():
    sex = random.choice(["Female", "Male"])
    age = min(90, max(17, int(random.gauss(43, 16))))
    education = pick([row for row in EDUCATION if age >= 24 or row[0] not in ("Master", "Doctorate")])
    tertiary = education[2] == "Tertiary"
    occupation = pick([(o[0], o[1] * (3 if tertiary == (o[3] == "White collar") else 1)) for o in OCCUPATION])
    if age < 25:
        marital = random.choices(MARITAL, [85, 12, 2, 1, 0.2])[0]
    elif age < 60:
        marital = random.choices(MARITAL, [25, 54, 5, 14, 2])[0]
    else:
        marital = random.choices(MARITAL, [6, 58, 3, 13, 20])[0]
    hours = max(1, min(80, int(random.gauss(41 if age < 65 else 24, 9))))
    score = (age - 17) / 73 * 1.2 + 1.6 * tertiary + 0.8 * (marital == "Married") + (hours - 40) / 25
    score += 0.9 * (occupation[0] in ("Management", "Engineering", "Law", "Health"))
    income = "high" if random.random() < 1 / (1 + 2.718281828 ** (3.4 - score)) else "low"
    country = pick(COUNTRY)[0] if random.random() > 0.02 else ""
    name = f"{random.choice(FIRST[sex])} {random.choice(LAST)}"
    zip_code = random.choices(ZIPS, ZIP_WEIGHTS)[0]
    return [name, age, sex, zip_code, education[0], marital, occupation[0], country, hours, income]


def write_levels(name, rows):
    with open(f"hierarchies/{name}.csv", "w", newline="") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(rows)


with open("people.csv", "w", newline="") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow("name age sex zip education marital occupation birth_country hours income".split())
    table.writerows(person() for _ in range(PEOPLE))
write_levels("education", [(label, parent, "*") for label, _, parent in EDUCATION])
write_levels("occupation", [(label, group, wide, "*") for label, _, group, wide in OCCUPATION])
write_levels("birth_country", [(label, group, wide, "*") for label, _, group, wide in COUNTRY])
