import { addOutput } from './add-output.ts'
import { listOutputs } from './list-outputs.ts'
import { removeOutput } from './remove-output.ts'

/** Endpoints under `/api/streams`. */
export const streamEndpoints = [addOutput, removeOutput, listOutputs]
