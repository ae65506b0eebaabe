export default function Pricing() {
  return null
}
