export { createSignIn } from './feature.ts'
