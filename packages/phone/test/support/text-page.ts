import type { TextPage } from '../../src/adapter/page.ts'

/** The only page of a text. */
export function textPage(...lines: string[]): TextPage {
  return { kind: 'text', lines, number: 1, total: 1 }
}
