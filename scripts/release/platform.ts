/** What a release is made for. All artifacts need glibc 2.28 or newer, as Node does. */
export interface Platform {
  /** As in `process.platform`. */
  readonly os: 'linux'
  /** As in `process.arch`. */
  readonly cpu: 'x64' | 'arm64'
  /** Of Debian packages. */
  readonly debian: 'amd64' | 'arm64'
}

export const PLATFORMS: readonly Platform[] = [
  { os: 'linux', cpu: 'x64', debian: 'amd64' },
  { os: 'linux', cpu: 'arm64', debian: 'arm64' },
]

/** `linux-x64`, as in the names of artifacts and packages. */
export function nameOf({ os, cpu }: Platform): string {
  return `${os}-${cpu}`
}
