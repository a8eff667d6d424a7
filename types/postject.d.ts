declare module 'postject' {
  /** Adds a resource to an executable file. */
  export function inject(
    file: string,
    name: string,
    content: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>
}
