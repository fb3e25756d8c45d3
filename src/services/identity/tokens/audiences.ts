/** A resource with and without its final slash is the same resource. */
export function sameResource(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

export function withoutSlash(resource: string): string {
  return resource.endsWith("/") ? resource.slice(0, -1) : resource;
}
