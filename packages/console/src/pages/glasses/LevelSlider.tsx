import { Slider } from '../../components/Slider.tsx'

export interface LevelSliderProps {
  readonly label: string
  /** Percent. */
  readonly value: number
  readonly onChange: (value: number) => void
  /** Called when the user lets go. */
  readonly onChangeEnd?: (value: number) => void
}

/** A level in percent. */
export function LevelSlider({ value, ...props }: LevelSliderProps) {
  return <Slider {...props} minValue={0} maxValue={100} value={value} output={`${value} %`} />
}
