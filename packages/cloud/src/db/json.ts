/** Parses a JSON column. The type is not checked: only {@link toJson} writes such columns. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text)
}

/** Serializes a value for a JSON column; `undefined` becomes null, as in arrays. */
export function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
