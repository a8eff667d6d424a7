import { KNOWN_MODELS, SIMULATED_GLASSES_MODEL } from '@glasses-cloud/contract'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'
import { isWornBy, readModel, rememberModel, rememberWearer } from '../../simulator/remembered-glasses.ts'
import { Simulator } from '../../simulator/simulator.ts'

/** The glasses of this tab. They stay on while other pages of the console are shown. */
let simulator: Simulator | undefined

/** Returns the glasses of this tab. The first call puts them on if the user wore them before the tab was reloaded. */
export function ownGlasses(userId: string): Simulator {
  if (simulator !== undefined) return simulator
  const created = createGlasses()
  simulator = created
  const wasWorn = isWornBy(userId)
  created.subscribe(() => {
    const { connection, model } = created.getState()
    rememberWearer(connection === 'disconnected' ? undefined : userId)
    rememberModel(model)
  })
  if (wasWorn) void created.connect()
  return created
}

function createGlasses(): Simulator {
  const stored = readModel()
  const model = KNOWN_MODELS.find((known) => known === stored) ?? SIMULATED_GLASSES_MODEL
  return new Simulator(model, {
    onOwnPhoto: (photo) => {
      if (photo.ok) reportSuccess('The photo is in the gallery')
      else reportFailure(new Error(`The photo was not stored: ${photo.errorMessage}`))
    },
    onReplacement: () => reportSuccess('These glasses took over. Those in another tab were taken off.'),
  })
}
