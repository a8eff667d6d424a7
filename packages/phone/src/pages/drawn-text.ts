import { withoutInvisible } from '@glasses-cloud/contract'

/**
 * What a font of glasses draws of a text: letters composed with their marks, and no characters that take no room, such as
 * joiners, for each of which it would leave a gap.
 */
export function drawnText(text: string): string {
  return withoutInvisible(text.normalize('NFC'))
}
