/** Reads a JSON column. Its content was written by {@link toJson} alone, so that its shape is known. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text)
}

/** Writes a JSON column. What JSON cannot say (`undefined`) becomes null, as in arrays. */
export function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
