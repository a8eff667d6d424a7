/** What a phone knows when it fills the placeholders of a text. */
export interface PlaceholderValues {
  readonly now: Date
  /** Percent, or `undefined` while no battery level is known. */
  readonly battery: number | undefined
  readonly connected: boolean
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Replaces `$TIME24$` and its like, as the phone does just before it draws (glasses socket protocol, 2.3.1). */
export function fillPlaceholders(text: string, facts: PlaceholderValues): string {
  if (!text.includes('$')) return text
  const { now, battery, connected } = facts
  const date = `${now.getMonth() + 1}/${twoDigits(now.getDate())}`
  const time12 = `${now.getHours() % 12 || 12}:${twoDigits(now.getMinutes())}`
  const values: Record<string, string> = {
    $no_datetime$: `${date}, ${time12}`,
    $DATE$: date,
    $TIME12$: time12,
    $TIME24$: `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`,
    $GBATT$: battery === undefined ? '' : `${battery}%`,
    $CONNECTION_STATUS$: connected ? 'Connected' : 'Disconnected',
  }
  return text.replace(/\$[A-Za-z_0-9]+\$/g, (placeholder) => values[placeholder] ?? placeholder)
}
