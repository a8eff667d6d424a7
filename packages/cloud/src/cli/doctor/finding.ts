/** What a check found: all is well, something to know, or something that keeps the cloud from working. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'wrong'
  /** The part that was looked at. */
  readonly part: string
  /** What was found and, where it is not well, what to do. */
  readonly text: string
}

/** All is well. */
export function ok(part: string, text: string): Finding {
  return { level: 'ok', part, text }
}

/** Something to know. */
export function note(part: string, text: string): Finding {
  return { level: 'note', part, text }
}

/** Something that keeps the cloud from working. */
export function wrong(part: string, text: string): Finding {
  return { level: 'wrong', part, text }
}
