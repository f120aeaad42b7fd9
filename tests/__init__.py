"""Tests of autovec, and the programs it is tested on."""
