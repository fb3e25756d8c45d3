/** Why the catalogue refuses. */
export type CatalogErrorKind =
  | "not-found"
  | "already-exists"
  | "invalid-name"
  | "invalid-schema"
  | "invalid-value"
  | "limit";

/** A change that is not made, or a name that nothing has, with one sentence for its author. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly kind: CatalogErrorKind;

  constructor(kind: CatalogErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function notFound(entity: string, name: string, place?: string): CatalogError {
  const where = place === undefined ? "" : ` in database '${place}'`;
  return new CatalogError("not-found", `${entity} '${name}' does not exist${where}.`);
}

export function alreadyExists(entity: string, name: string): CatalogError {
  return new CatalogError("already-exists", `${entity} '${name}' already exists.`);
}
