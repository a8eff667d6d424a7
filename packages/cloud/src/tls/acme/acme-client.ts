// The X.509 library that the client uses needs a polyfill that it does not load itself.
import 'reflect-metadata'
import * as acme from 'acme-client'

// As a whole: `export *` of a CommonJS package exports nothing in a bundle.
export { acme }
