#!/usr/bin/env python3
"""layers.py GRAPH.onnx GRAPH.data layers.bin     lays the weights out as the encoder reads them.

Takes the two files that encoder.py writes. Needs nothing beside Python. Not needed to build or test the project; kept so that
the file can be made again. `layers.bin`, all of it little-endian:

1. the 8-bit weights of each product, in the order of PRODUCTS: for every 8 columns of the output, for every 4 rows, the four weights
   of each column;
2. 32-bit words, in the order in which the layers use them: norm: factors, summands (floats); product: one divided by the range of each
   input, the scales and summands of the outputs (floats), the sum of the weights of each output (integers), then how many weights were
   cut and for each of them its row + 65536 × its column and by how much.

Cut: a kernel adds the products of four weights and unsigned bytes in 16 bits. Where positive or negative ones of four weights add up to
more than 128, which happens in one group of a thousand, the largest is made smaller, and the rest of it is added apart."""
import array, sys

LAYERS, WIDTH = 6, 384
PRODUCTS = [("qkv", WIDTH, 3 * WIDTH), ("o", WIDTH, WIDTH), ("f1", WIDTH, 4 * WIDTH), ("f2", 4 * WIDTH, WIDTH)]
MOST = 128


def fields(message):
    """Number and value of each field of a protobuf message."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or number()
            yield key >> 3, message[at:at + size]
            at += size


def tensors(graph, data):
    """Bytes of each constant of the graph by its name."""
    found = {}
    for number, constant in fields(next(value for number, value in fields(graph) if number == 7)):
        if number == 5:
            parts = [(number, value) for number, value in fields(constant)]
            name = next(value.decode() for number, value in parts if number == 8)
            inside = [value for number, value in parts if number == 9]
            beside = dict(tuple(text.decode() for _, text in fields(value)) for number, value in parts if number == 13)
            start = int(beside.get("offset", 0))
            found[name] = inside[0] if inside else data[start:start + int(beside["length"])]
    return found


def cut(weights, rows, columns):
    """Makes weights smaller where four of one sign add up to more than MOST; returns by how much."""
    cuts = {}
    for octet in range(0, rows, 8):
        for pair in (0, 2):
            group = [octet + pair, octet + pair + 1, octet + pair + 4, octet + pair + 5]
            for column in range(columns):
                places = [row * columns + column for row in group]
                for sign in (1, -1):
                    excess = sum(max(sign * weights[place], 0) for place in places) - MOST
                    while excess > 0:
                        place = max(places, key=lambda place: sign * weights[place])
                        by = min(excess, sign * weights[place])
                        weights[place] -= sign * by
                        cuts[place] = cuts.get(place, 0) + sign * by
                        excess -= by
    return sorted(((place % columns, place // columns), by) for place, by in cuts.items())


def panels(weights, rows, columns):
    laid = array.array("b")
    for column in range(0, columns, 8):
        of_columns = [weights[each::columns] for each in range(column, column + 8)]
        for row in range(0, rows, 4):
            for one in of_columns:
                laid.extend(one[row:row + 4])
    return laid.tobytes()


def floats(found, name, count):
    assert len(found[name]) == 4 * count, name
    return found[name]


def main():
    graph, data = (open(name, "rb").read() for name in sys.argv[1:3])
    found = tensors(graph, data)
    bytes_, words = b"", b""
    integers = lambda all_: b"".join(one.to_bytes(4, "little", signed=True) for one in all_)
    norm = lambda name: floats(found, name + ".g", WIDTH) + floats(found, name + ".b", WIDTH)
    words += norm("ln0")
    for layer in range(LAYERS):
        for product, rows, columns in PRODUCTS:
            name = f"l{layer}.{product}"
            weights = array.array("b", found[name + ".q"])
            assert len(weights) == rows * columns, name
            sums = [sum(weights[column::columns]) for column in range(columns)]
            cuts = cut(weights, rows, columns)
            bytes_ += panels(weights, rows, columns)
            words += floats(found, name + ".si", rows) + floats(found, name + ".s", columns) + floats(found, name + ".bias", columns)
            words += integers(sums) + integers([len(cuts)])
            words += integers(word for (column, row), by in cuts for word in (row + 65536 * column, by))
            if product in ("o", "f2"):
                words += norm(f"l{layer}.ln{1 if product == 'o' else 2}")
    open(sys.argv[3], "wb").write(bytes_ + words)


main()
