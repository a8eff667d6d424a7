import type { Layout } from '@glasses-cloud/contract'

/** Values for the placeholders in texts. */
export interface PlaceholderValues {
  readonly now: Date
  /** Percent; `undefined` while unknown. */
  readonly battery: number | undefined
  readonly connected: boolean
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Replaces placeholders such as `$TIME24$`, as the phone does before it draws (glasses-socket.md §2.3.1). */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  if (!text.includes('$')) return text
  const { now, battery, connected } = values
  const date = `${now.getMonth() + 1}/${twoDigits(now.getDate())}`
  const time12 = `${now.getHours() % 12 || 12}:${twoDigits(now.getMinutes())}`
  const replacements: Record<string, string> = {
    $no_datetime$: `${date}, ${time12}`,
    $DATE$: date,
    $TIME12$: time12,
    $TIME24$: `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`,
    $GBATT$: battery === undefined ? '' : `${battery}%`,
    $CONNECTION_STATUS$: connected ? 'Connected' : 'Disconnected',
  }
  return text.replace(/\$[A-Za-z_0-9]+\$/g, (placeholder) => replacements[placeholder] ?? placeholder)
}

/** Whether a text of a layout contains a placeholder for the time, whose value changes every minute. */
export function hasTime(layout: Layout): boolean {
  return textsOf(layout).some((text) => /\$(?:no_datetime|TIME12|TIME24|DATE)\$/.test(text))
}

/** Whether a text of a layout may contain a placeholder. */
export function hasPlaceholder(layout: Layout): boolean {
  return textsOf(layout).some((text) => text.includes('$'))
}

function textsOf(layout: Layout): string[] {
  if (layout.layoutType === 'bitmap_view') return []
  return Object.values(layout).filter((value) => typeof value === 'string')
}
