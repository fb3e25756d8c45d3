import { cutPaths, type Cut, type Path, type Piece } from "./cut.ts";
import { joinToRings } from "./loops.ts";
import { regionOf, regionPaths, type Region } from "./region.ts";
import { add, normalize } from "./vector.ts";
import type { Vertex } from "./vertex.ts";

/** Where a piece of one boundary lies, seen from the other shape. */
type Side = "inside" | "outside" | "along" | "against";

interface SidedPiece extends Piece {
  readonly side: Side;
}

/** What two shapes have in common, by dimension; nothing is reported twice. */
export interface Common {
  readonly points: readonly Vertex[];
  /** Pieces in the order and direction of the first shape. */
  readonly lines: readonly Piece[];
  readonly region: Region | null;
}

/** All points of either region. */
export function uniteRegions(a: Region, b: Region): Region {
  const cut = cutPaths(regionPaths(a), regionPaths(b));
  const ofA = sides(cut.first, outgoingOf(cut.second), cut.contacts, b);
  const ofB = sides(cut.second, outgoingOf(cut.first), cut.contacts, a);
  const kept = [
    ...ofA.filter(({ side }) => side === "outside" || side === "along"),
    ...ofB.filter(({ side }) => side === "outside"),
  ];
  return regionOf(joinToRings(kept));
}

/** All points of both closed regions. */
export function intersectRegions(a: Region, b: Region): Common {
  const cut = cutPaths(regionPaths(a), regionPaths(b));
  const ofA = sides(cut.first, outgoingOf(cut.second), cut.contacts, b);
  const ofB = sides(cut.second, outgoingOf(cut.first), cut.contacts, a);
  const kept = [
    ...ofA.filter(({ side }) => side === "inside" || side === "along"),
    ...ofB.filter(({ side }) => side === "inside"),
  ];
  const rings = joinToRings(kept);
  const lines = ofA.filter(({ side }) => side === "against");
  return {
    region: rings.length === 0 ? null : regionOf(rings),
    lines,
    points: pointsBeside(cut, [...kept, ...lines]),
  };
}

/** The parts of lines that lie in a closed region. */
export function intersectPathsWithRegion(paths: readonly Path[], region: Region): Common {
  const cut = cutPaths(paths, regionPaths(region));
  const lines = sides(cut.first, outgoingOf(cut.second), cut.contacts, region).filter(
    ({ side }) => side !== "outside",
  );
  return { region: null, lines, points: pointsBeside(cut, lines) };
}

/** The parts of the first lines that lie on the second ones. */
export function intersectPaths(first: readonly Path[], second: readonly Path[]): Common {
  const cut = cutPaths(first, second);
  const outgoing = outgoingOf(cut.second);
  const lines = cut.first.flat().filter((piece) => sideAlong(piece, outgoing) !== undefined);
  return { region: null, lines, points: pointsBeside(cut, lines) };
}

/** Contacts that are no end of a piece already reported. */
function pointsBeside(cut: Cut, pieces: readonly Piece[]): Vertex[] {
  const used = new Set(pieces.flatMap(({ from, to }) => [from, to]));
  return [...cut.contacts].filter((vertex) => !used.has(vertex));
}

type Outgoing = ReadonlyMap<Vertex, ReadonlySet<Vertex>>;

function outgoingOf(paths: Cut["first"]): Outgoing {
  const outgoing = new Map<Vertex, Set<Vertex>>();
  for (const { from, to } of paths.flat()) {
    const ends = outgoing.get(from);
    if (ends === undefined) {
      outgoing.set(from, new Set([to]));
    } else {
      ends.add(to);
    }
  }
  return outgoing;
}

function sideAlong({ from, to }: Piece, outgoing: Outgoing): Side | undefined {
  if (outgoing.get(from)?.has(to) === true) {
    return "along";
  }
  return outgoing.get(to)?.has(from) === true ? "against" : undefined;
}

/** Tells the side of every piece; it can change only where the shapes meet. */
function sides(
  paths: Cut["first"],
  outgoing: Outgoing,
  contacts: ReadonlySet<Vertex>,
  region: Region,
): SidedPiece[] {
  return paths.flatMap((path) => {
    let known: Side | undefined;
    return path.map((piece) => {
      if (known === undefined || contacts.has(piece.from)) {
        known = sideAlong(piece, outgoing) ?? sideOfMiddle(piece, region);
      }
      return { ...piece, side: known };
    });
  });
}

function sideOfMiddle({ from, to }: Piece, region: Region): Side {
  return region.contains(normalize(add(from, to))) ? "inside" : "outside";
}
