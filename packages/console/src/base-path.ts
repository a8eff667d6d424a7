const { url } = import.meta

/**
 * Path below which the cloud is served, without a trailing slash; empty for a host of its own. Scripts are one folder
 * below it, in a build as in development; tests run them from files.
 */
export const BASE_PATH = url.startsWith('http') ? new URL('..', url).pathname.replace(/\/$/, '') : ''

/** URL of the cloud, without a trailing slash. */
export const cloudUrl = (): string => window.location.origin + BASE_PATH

/** Returns the path of a request to the cloud, as the cloud names it. */
export const cloudPath = (address: string): string => new URL(address).pathname.slice(BASE_PATH.length)
