export { createPhotos } from './feature.ts'
