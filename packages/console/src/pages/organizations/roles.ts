import { roleTexts } from './organizations.texts.ts'

/** For choices, from the least right. */
export const ROLES = (['member', 'admin'] as const).map((value) => ({ value, label: roleTexts[value] }))
