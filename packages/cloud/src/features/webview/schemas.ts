/** Paths of an endpoint, each with the alias of older clients. */
export const webviewPath = (name: string) => [`/api/auth/${name}`, `/auth/${name}`]
