/** The result of a check: passed, worth knowing, or an error that keeps the cloud from working. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'error'
  /** The checked part. */
  readonly part: string
  /** The result and, for errors, what to do. */
  readonly text: string
}

export function ok(part: string, text: string): Finding {
  return { level: 'ok', part, text }
}

export function note(part: string, text: string): Finding {
  return { level: 'note', part, text }
}

export function failure(part: string, text: string): Finding {
  return { level: 'error', part, text }
}
