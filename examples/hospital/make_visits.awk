# A table as hospitals have them, made up: semicolons, Latin-1, decimal commas, dates as 17.03.1964, ICD codes, free
# text, names, and patients who come more than once.
#
#   LC_ALL=C awk -v rows=100000 -f examples/hospital/make_visits.awk > visits.csv
#
# The same rows on every machine: random numbers come from the generator below.
function draw(n) {
  state = state * 16807 % 2147483647  # products stay below 2^53, where awk's numbers are exact
  return int(state / 128) % n
}
function pick(list, n) { return list[1 + draw(n)] }
# Small numbers are more likely than large ones.
function skewed(n,   a, b) { a = draw(n); b = draw(n); return a < b ? a : b }

BEGIN {
  state = 20240317
  if (rows == 0) rows = 1000
  first = split("Anna J\374rgen S\366ren Karin Peter Ren\351e Uta Jo\343o Mia Emil Lea Noah Ida Finn Ella Paul", firsts, " ")
  last = split("M\374ller Schmidt Schr\366der Wei\337 J\344ger K\366nig Lange Braun Krause Voigt Gro\337 Fuchs Otto Vogel", lasts, " ")
  towns = split("K\366ln M\374nchen Berlin Hamburg D\374sseldorf Leipzig N\374rnberg L\374beck G\366ttingen F\374rth", town, " ")
  codes = split("50667 80331 10115 20095 40213 04109 90402 23552 37073 90762", zip, " ")
  icds = split("E11.9 E11.4 E10.9 I10.0 I25.1 I21.0 J45.0 J44.1 J18.9 C50.9 C34.1 C61 F32.1 F10.2 K35.8 K80.2 S72.0 S82.6 N18.3 M54.5", icd, " ")
  wards = split("Innere Chirurgie Gyn\344kologie Urologie P\344diatrie HNO", ward, " ")
  notes = split("kommt zur Kontrolle|klagt \374ber Schmerzen im R\374cken|stellt sich nach Sturz vor|wird nach OP entlassen|" \
                "Angeh\366rige wurden informiert|Befund unauff\344llig, Wiedervorstellung", note, "|")
  schools = split("kein Abschluss|Hauptschule|Realschule|Abitur|Hochschule", school, "|")
  print "Fallnummer;Patientennummer;Name;Geburtsdatum;Geschlecht;PLZ;Wohnort;Schulabschluss;Aufnahmedatum;Station;Diagnose;Gewicht_kg;Kosten_EUR;Schmerz;Notiz"
  visit = 0
  for (patient = 1; visit < rows; ++patient) {
    name = pick(firsts, first) " " pick(lasts, last)
    born = sprintf("%02d.%02d.%d", 1 + draw(28), 1 + draw(12), 2015 - skewed(95))
    sex = draw(100) < 52 ? "w" : "m"
    place = 1 + skewed(towns)
    street = draw(30)
    graduation = school[1 + draw(schools)]
    weight = 450 + draw(700)
    visits = draw(10) < 7 ? 1 : 1 + skewed(5)
    for (v = 0; v < visits && visit < rows; ++v) {
      ++visit
      weight += draw(21) - 10
      cost = 20000 + skewed(900000)
      printf "%d;%d;%s;%s;%s;%05d;%s;%s;%02d.%02d.%d;%s;%s;%d,%d;%s;%s;\"%s; Fall %d, %s\"\n", 4000000 + visit * 7,
        100000 + patient * 13, name, born, sex, zip[place] + street, town[place],
        draw(50) == 0 ? "NA" : graduation, 1 + draw(28), 1 + draw(12), 2021 + draw(3), pick(ward, wards),
        icd[1 + skewed(icds)], weight / 10, weight % 10, money(cost),
        draw(30) == 0 ? "" : "Stufe " (1 + skewed(5)), pick(note, notes), visit, name
    }
  }
}
# 1234567 cents as 12.345,67
function money(cents,   euros, text) {
  euros = int(cents / 100)
  text = euros >= 1000 ? sprintf("%d.%03d", euros / 1000, euros % 1000) : euros ""
  return text "," sprintf("%02d", cents % 100)
}
