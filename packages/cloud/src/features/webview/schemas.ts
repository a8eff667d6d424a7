/** The paths of an endpoint of web views: clients of different ages have different ones. */
export const webviewPath = (name: string) => [`/api/auth/${name}`, `/auth/${name}`]

/** How OpenAPI groups them. */
export const tags = ['webview']
