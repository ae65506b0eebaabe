import nextra from 'nextra'

export default nextra({ search: true })({ output: 'export' })
