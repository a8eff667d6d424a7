import { formatList } from '../../format.ts'

/** Whether an app works with the connected glasses. */
export const compatibilityTexts = {
  unknown: 'Connect your glasses to see whether the app works with them.',
  without: (model: string, parts: readonly string[]) =>
    `Does not work with your ${model}: they have no ${formatList(parts)}.`,
  partly: (model: string, parts: readonly string[]) =>
    `Works with your ${model}, without what needs ${formatList(parts)}.`,
  fully: (model: string) => `Works fully with your ${model}.`,
} as const
