import { StartApp } from './start-app.tsx'

export default function StartTrackScreen() {
  return <StartApp app="track" />
}
