import { testOneNode } from './one-node-suite.ts'

testOneNode(['nginx'])
