export const ROLE_NAMES = { admin: 'Administrator', member: 'Member' } as const

/** For choices, from the least right. */
export const ROLES = (['member', 'admin'] as const).map((value) => ({ value, label: ROLE_NAMES[value] }))
