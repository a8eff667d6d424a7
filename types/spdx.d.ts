declare module 'spdx-expression-parse' {
  /** Parses an SPDX license expression. @throws {Error} if it is invalid */
  export default function parseExpression(text: string): unknown
}

declare module 'spdx-license-list/full.js' {
  const licenses: Readonly<Record<string, { readonly licenseText: string }>>
  export default licenses
}
