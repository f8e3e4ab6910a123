"""The people of the example campaigns, and what each of them does."""

PASSWORD = "cleverdon"  # noqa: S105 - printed for every visitor; the example runs on 127.0.0.1 only

SIGN_INS = {
    "olga": "organizes the campaign",
    "ada": "assesses: half of her pool is judged",
    "ben": "assesses: half of his pool is judged",
    "cleo": "assesses: two topics, not begun, and one to adjudicate",
    "pat": "participates with team Aldgate",
    "quinn": "participates with team Cranfield; one of their files was refused",
    "sam": "has no role in the campaign",
}
LARGE_SIGN_INS = {
    "olga": "organizes the campaign",
    "ada": "assesses, as one of thirty; ben and cleo are two others",
    "pat": "participates with team Aldgate",
    "quinn": "participates with team Cranfield",
}

FULL_NAMES = {
    "olga": ("Olga", "Oster"),
    "ada": ("Ada", "Abara"),
    "ben": ("Ben", "Brandt"),
    "cleo": ("Cleo", "Castro"),
    "pat": ("Pat", "Park"),
    "quinn": ("Quinn", "Quist"),
    "sam": ("Sam", "Sato"),
}
TEAMS = {"pat": "Aldgate", "quinn": "Cranfield"}

# The large example combines these names, and its teams have the names of the places. The lists are
# kept in a few lines, as nobody reads their items one by one.
FIRST_NAMES = (
    "Aino", "Björn", "Chiara", "Dmitri", "Emre", "Farah", "Goro", "Hana", "Ines", "Jonas",
)  # fmt: skip
LAST_NAMES = ("Albers", "Bianchi", "Costa", "Dubois", "Eriksen", "Fischer")
PLACES = (
    "Aldgate", "Cranfield", "Barbican", "Camden", "Dalston", "Ealing", "Finchley", "Greenwich",
    "Holborn", "Islington", "Kew", "Lambeth", "Mayfair", "Neasden", "Oval", "Paddington",
    "Richmond", "Stepney", "Tooting", "Uxbridge",
)  # fmt: skip
