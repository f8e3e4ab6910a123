"""Whether differences between runs could be chance, and what other topics would have said.

Pure: arrays of values by topic in, figures out. All draws come from SplitMix64, so that a seed
gives the same figures on every machine and with every version of numpy.
"""
