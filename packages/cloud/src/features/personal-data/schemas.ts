export const tags = ['account']
