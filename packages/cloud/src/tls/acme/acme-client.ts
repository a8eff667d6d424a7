// The X.509 library that the client uses needs a polyfill that it does not load itself.
import 'reflect-metadata'

export * from 'acme-client'
