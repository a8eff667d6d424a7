// The library uses a polyfill that it does not load itself.
import 'reflect-metadata'

export * from '@peculiar/x509'
