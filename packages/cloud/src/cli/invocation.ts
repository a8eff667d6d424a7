/** How this command line is called: in an installed release, which runs from the bundle, or in a clone. */
export const INVOCATION = import.meta.url.endsWith('.ts') ? 'npm run -s cli --' : 'glasses-cloud'
