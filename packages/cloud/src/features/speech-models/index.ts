export type { InstalledModels, SpeechModel } from './speech-model.ts'
