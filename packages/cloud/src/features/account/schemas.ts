/** What every endpoint of the account is filed under. */
export const tags = ['account']
