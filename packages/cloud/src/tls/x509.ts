// The library uses a polyfill that it does not load itself.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

// As a whole: `export *` of a CommonJS package exports nothing in a bundle.
export { x509 }
