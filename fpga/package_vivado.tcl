# SPDX-License-Identifier: Apache-2.0
# Packages a generated block as an IP of Vivado. Not tested by this project, which has no Vivado.
# Usage: vivado -mode batch -source package_vivado.tcl -tclargs FOLDER NAME [PART]
#   FOLDER: an output of simtgen gen; NAME: of the instance; the IP is written to FOLDER/vivado_ip.
if {[llength $argv] < 2} {
  puts stderr "package_vivado: got [llength $argv] arguments, expected FOLDER NAME \[PART\]"
  exit 2
}
lassign $argv folder name part
if {$part eq ""} { set part xc7a35ticsg324-1L }
set top [file join $folder rtl $name.v]
if {![file exists $top]} {
  puts stderr "package_vivado: $top: no such file; expected an output of simtgen gen with -n $name"
  exit 2
}

create_project -in_memory -part $part
add_files -norecurse [glob [file join $folder rtl *.v]]
set_property top $name [current_fileset]
add_files -fileset constrs_1 -norecurse [file join $folder constraints $name.sdc]
update_compile_order -fileset sources_1
ipx::package_project -root_dir [file join $folder vivado_ip] -vendor simtgen -library blocks -taxonomy /UserIP -import_files
set core [ipx::current_core]
set_property name $name $core
set_property version 1.0 $core
set_property display_name $name $core
ipx::associate_bus_interfaces -clock clk_i -reset rst_i $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::save_core $core
