export { createTranslator } from './create-translator.ts'
export type { Translator } from './translator.ts'
